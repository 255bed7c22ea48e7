// The program that native debuggers are measured on: what orders.py is for Python.
#include <cstdio>
#include <string>
#include <vector>

struct Order {
  std::string name;
  std::vector<double> prices;
};

double total_of(const Order& order) {
  double total = 0;
  for (double price : order.prices) {
    total = total + price;
  }
  return total;
}

int main() {
  std::vector<Order> orders;
  for (int n = 0; n < 20; n++) orders.push_back({"order " + std::to_string(n), {1.0 * n, 2.0 * n, 3.0 * n}});
  double all = 0;
  for (const Order& order : orders) all += total_of(order);
  std::printf("%.2f\n", all);
}
