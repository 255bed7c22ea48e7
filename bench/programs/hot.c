// A hot loop for a condition that never holds; as many rounds as the argument says.
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    long sum = 0, rounds = argc > 1 ? atol(argv[1]) : 20000;
    for (int i = 0; i < rounds; i++) {
        sum += i;
    }
    printf("%ld\n", sum);
    return 0;
}
