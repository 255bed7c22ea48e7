import java.util.ArrayList;
import java.util.List;

/** The program that JVM debuggers are measured on: what orders.py is for Python. */
public class Orders {
    record Order(String name, double[] prices) {}

    static double totalOf(Order order) {
        double total = 0;
        for (double price : order.prices()) {
            total = total + price;
        }
        return total;
    }

    public static void main(String[] args) {
        List<Order> orders = new ArrayList<>();
        for (int n = 0; n < 20; n++) {
            orders.add(new Order("order " + n, new double[] {n, 2.0 * n, 3.0 * n, 4.0 * n, 5.0 * n, 6.0 * n}));
        }
        double all = 0;
        for (Order order : orders) {
            all += totalOf(order);
        }
        System.out.printf("%.2f%n", all);
    }
}
