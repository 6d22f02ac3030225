#include "tests/parity/jobs/order_payment.hpp"

#include <nlohmann/json.hpp>

namespace sluice::parity {

std::string match_text(const ShopEvent& order, const ShopEvent& payment) {
  return nlohmann::json{
      {"orderId", order.id}, {"paymentId", payment.id}, {"customerId", order.customer_id}}
      .dump();
}

}  // namespace sluice::parity
