#include "daemon/config/listen_address.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sluice::daemon {
namespace {

using testing::HasSubstr;

TEST(ListenAddress, IsAnAddressAndAPort) {
  const auto v4 = parse_listen_address("127.0.0.1:9479");
  ASSERT_TRUE(v4);
  EXPECT_EQ(v4->host, "127.0.0.1");
  EXPECT_EQ(v4->port, 9479);
  EXPECT_FALSE(v4->is_v6);
  const auto v6 = parse_listen_address("[::1]:65535");
  ASSERT_TRUE(v6);
  EXPECT_EQ(v6->host, "::1");
  EXPECT_EQ(v6->port, 65535);
  EXPECT_TRUE(v6->is_v6);
  EXPECT_TRUE(parse_listen_address("0.0.0.0:1"));
}

TEST(ListenAddress, SaysWhatIsWrongWithIt) {
  const auto why = [](const char* text) {
    const auto parsed = parse_listen_address(text);
    return parsed ? std::string{"fine"} : parsed.error().message();
  };
  EXPECT_THAT(why(""), HasSubstr("no ':' in front of a port"));
  EXPECT_THAT(why("9479"), HasSubstr("no ':' in front of a port"));
  EXPECT_THAT(why("127.0.0.1:"), HasSubstr("1 to 65535"));
  EXPECT_THAT(why("127.0.0.1:0"), HasSubstr("1 to 65535"));
  EXPECT_THAT(why("127.0.0.1:65536"), HasSubstr("1 to 65535"));
  EXPECT_THAT(why("127.0.0.1:-1"), HasSubstr("1 to 65535"));
  EXPECT_THAT(why("127.0.0.1:80x"), HasSubstr("1 to 65535"));
  EXPECT_THAT(why(":9479"), HasSubstr("0.0.0.0 stands for all"));
  EXPECT_THAT(why("::1:9479"), HasSubstr("brackets"));
  EXPECT_THAT(why("[127.0.0.1]:9479"), HasSubstr("no IP address"));
  EXPECT_THAT(why("localhost:9479"), HasSubstr("'localhost' is no IP address"));
  EXPECT_THAT(why("127.0.0.1,8080:9479"), HasSubstr("no IP address"));
}

}  // namespace
}  // namespace sluice::daemon
