// The program that native debuggers are measured on: what orders.py is for Python.
struct Order {
    name: String,
    prices: Vec<f64>,
}

fn total_of(order: &Order) -> f64 {
    let mut total = 0.0;
    for price in &order.prices {
        total = total + price;
    }
    total
}

fn main() {
    let orders: Vec<Order> = (0..20)
        .map(|n| Order { name: format!("order {}", n), prices: vec![n as f64, 2.0 * n as f64, 3.0 * n as f64] })
        .collect();
    let all: f64 = orders.iter().map(total_of).sum();
    println!("{:.2} of {}", all, orders[0].name);
}
