// The program that JavaScript debuggers are measured on: what orders.py is for Python.
function lineTotal(item) {
  const total = item.price * item.count;
  return total;
}

function cartTotal(items) {
  let sum = 0;
  for (const item of items) {
    sum += lineTotal(item);
  }
  return sum;
}

const items = Array.from({ length: 40 }, (_, index) => ({ name: `item ${index}`, price: index + 1, count: 2 }));
console.log(cartTotal(items));
