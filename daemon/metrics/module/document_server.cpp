#include "daemon/metrics/module/document_server.hpp"

#include <microhttpd.h>

#include <cerrno>
#include <exception>
#include <string_view>
#include <system_error>
#include <utility>

namespace sluice::daemon {

namespace {

constexpr std::size_t kMemoryOfAConnection = 8192;  // a longer request is refused with 431

MHD_Result answer(MHD_Connection* connection, unsigned status, const std::string& type,
                  std::string_view body) {
  // MHD_RESPMEM_MUST_COPY is among what does not write to it, whatever its type says.
  MHD_Response* const response = MHD_create_response_from_buffer(
      body.size(), const_cast<char*>(body.data()), MHD_RESPMEM_MUST_COPY);
  if (response == nullptr) return MHD_NO;
  MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type.c_str());
  MHD_add_response_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
  const MHD_Result queued = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  return queued;
}

MHD_Result refuse(MHD_Connection* connection, unsigned status, std::string_view why) {
  return answer(connection, status, "text/plain; charset=utf-8", why);
}

// Called by C code: nothing may be thrown through it.
MHD_Result serve(void* self, MHD_Connection* connection, const char* path, const char* method,
                 const char*, const char*, std::size_t* body, void**) noexcept {
  *body = 0;
  const auto& server = *static_cast<const DocumentServer*>(self);
  try {
    if (std::string_view{path} != "/metrics") return refuse(connection, 404, "404 Not Found\n");
    const std::string_view verb = method;
    if (verb != "GET" && verb != "HEAD") {
      return refuse(connection, 405, "405 Method Not Allowed\n");
    }
    return answer(connection, 200, server.content_type(), server.document());
  } catch (const std::exception&) {
    return refuse(connection, 500, "500 Internal Server Error\n");
  }
}

}  // namespace

void DocumentServer::Stop::operator()(MHD_Daemon* server) const { MHD_stop_daemon(server); }

DocumentServer::DocumentServer(int listener, std::string content_type,
                               std::function<std::string()> make)
    : content_type_{std::move(content_type)}, make_{std::move(make)} {
  errno = 0;
  server_.reset(
      MHD_start_daemon(MHD_USE_POLL_INTERNAL_THREAD | MHD_USE_ITC, 0, nullptr, nullptr, &serve,
                       this, MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_CONNECTION_LIMIT,
                       kMostConnections, MHD_OPTION_CONNECTION_TIMEOUT, kLongestSilence,
                       MHD_OPTION_CONNECTION_MEMORY_LIMIT, kMemoryOfAConnection, MHD_OPTION_END));
  if (!server_) throw std::system_error{errno, std::generic_category(), "libmicrohttpd"};
}

}  // namespace sluice::daemon
