/* what programs use of Thrust */
#include <thrust/device_vector.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

struct square {
	__device__ float operator()(float x) const { return x * x; }
};

float
run(thrust::device_vector<float> &a, thrust::device_vector<float> &b,
	thrust::device_vector<int> &key)
{
	thrust::sort(a.begin(), a.end());
	thrust::sort_by_key(key.begin(), key.end(), a.begin(),
		thrust::greater<int>());
	thrust::inclusive_scan(a.begin(), a.end(), b.begin());
	thrust::set_union(a.begin(), a.end(), b.begin(), b.end(), a.begin());
	thrust::unique(key.begin(), key.end());
	thrust::transform(a.begin(), a.end(), b.begin(), square());
	return thrust::reduce(a.begin(), a.end())
		+ thrust::inner_product(a.begin(), a.end(), b.begin(), 0.f)
		+ thrust::transform_reduce(a.begin(), a.end(), square(), 0.f,
			thrust::maximum<float>());
}
