/* A correct twin as a user would write it: D, V and H in one kernel each, submitted in this order. */

long weigh(long a, long b, long c, long d, long e) { return 3571 * (a + e) + 16004 * (b + d) + 26386 * c; }

int mirror(int i, int n) { return i < 0 ? -i : i >= n ? 2 * n - i - 2 : i; }

#define ARGUMENTS                                                                                         \
    __global const ushort *previous, __global const ushort *current, __global int *d, __global int *v,    \
        __global int *h, int width, int height, int bpc

__kernel void motion_d(ARGUMENTS)
{
    int i = get_global_id(1) * width + get_global_id(0);
    d[i] = (int)previous[i] - (int)current[i];
}

__kernel void motion_v(ARGUMENTS)
{
    int x = get_global_id(0), y = get_global_id(1);
    long sum = weigh(d[mirror(y - 2, height) * width + x], d[mirror(y - 1, height) * width + x], d[y * width + x],
                     d[mirror(y + 1, height) * width + x], d[mirror(y + 2, height) * width + x]);
    v[y * width + x] = (int)((sum + (1 << (bpc - 1))) >> bpc);
}

__kernel void motion_h(ARGUMENTS)
{
    int x = get_global_id(0), y = get_global_id(1);
    __global const int *row = v + y * width;
    long sum = weigh(row[mirror(x - 2, width)], row[mirror(x - 1, width)], row[x], row[mirror(x + 1, width)],
                     row[mirror(x + 2, width)]);
    h[y * width + x] = (int)((sum + 32768) >> 16);
}
