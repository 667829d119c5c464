// A pattern gives the shape of each output: "=1" is the shape of input 1, "[]" a scalar, "[?,2]"
// these dims, "?" unknown. Outputs after the last one are unknown too.
// Source of the facts: the shapes that TensorFlow 2.15 infers for each type with inputs of many
// shapes; only results that were the same every time are in the table.
#include "core/graph/shapes/patterns.h"
#include "core/base/parse.h"

#include <algorithm>
#include <iterator>

namespace tideline::shapes {
namespace {

struct Pattern {
  std::string_view type;
  std::string_view outputs;
};

// Sorted by type.
// clang-format off
constexpr Pattern kPatterns[] = {
    {"AccumulatorNumAccumulated", "[]"},
    {"AddManySparseToTensorsMap", "[?]"},
    {"AddSparseToTensorsMap", "[]"},
    {"AdjustContrastv2", "=0"},
    {"AdjustHue", "=0"},
    {"AdjustSaturation", "=0"},
    {"AnonymousHashTable", "[]"},
    {"AnonymousIterator", "[]"},
    {"AnonymousIteratorV2", "[] []"},
    {"AnonymousIteratorV3", "[]"},
    {"AnonymousMemoryCache", "[] []"},
    {"AnonymousMultiDeviceIterator", "[] []"},
    {"AnonymousMultiDeviceIteratorV3", "[]"},
    {"AnonymousMutableDenseHashTable", "[]"},
    {"AnonymousMutableHashTable", "[]"},
    {"AnonymousMutableHashTableOfTensors", "[]"},
    {"AnonymousRandomSeedGenerator", "[] []"},
    {"AnonymousSeedGenerator", "[] []"},
    {"AsString", "=0"},
    {"AudioSummary", "[]"},
    {"AudioSummaryV2", "[]"},
    {"Barrier", "[2]"},
    {"BarrierIncompleteSize", "[]"},
    {"BarrierReadySize", "[]"},
    {"BatchFFT", "=0"},
    {"BatchFFT2D", "=0"},
    {"BatchFFT3D", "=0"},
    {"BatchIFFT", "=0"},
    {"BatchIFFT2D", "=0"},
    {"BatchIFFT3D", "=0"},
    {"CollectiveInitializeCommunicator", "[]"},
    {"CollectiveReduce", "=0"},
    {"CollectiveReduceV2", "=0"},
    {"CollectiveReduceV3", "=0"},
    {"CombinedNonMaxSuppression", "[?,?,4] [?,?] [?,?] [?]"},
    {"CompositeTensorVariantFromComponents", "[]"},
    {"CompressElement", "[]"},
    {"ComputeAccidentalHits", "[?] [?] [?]"},
    {"ComputeBatchSize", "[]"},
    {"ConcatenateDataset", "[]"},
    {"CrossReplicaSum", "=0"},
    {"CudnnRNNParamsSize", "[1]"},
    {"CustomAggregator", "=0"},
    {"DataFormatDimMap", "=0"},
    {"DataFormatVecPermute", "=0"},
    {"DatasetCardinality", "[]"},
    {"DatasetFromGraph", "[]"},
    {"DatasetToGraph", "[]"},
    {"DatasetToGraphV2", "[]"},
    {"DebugIdentityV2", "=0"},
    {"DebugIdentityV3", "=0"},
    {"DebugNanCount", "[]"},
    {"DecodeBase64", "=0"},
    {"DecodeCompressed", "=0"},
    {"DecodeGif", "[?,?,?,3]"},
    {"DecodeJSONExample", "=0"},
    {"DenseCountSparseOutput", "[?,?] [?] [?]"},
    {"DenseToCSRSparseMatrix", "[]"},
    {"DenseToDenseSetOperation", "[?,?] [?] [?]"},
    {"DenseToSparseSetOperation", "[?,?] [?] [?]"},
    {"Dequantize", "=0"},
    {"DeserializeManySparse", "[?,?] [?] [?]"},
    {"DeserializeSparse", "[?,?] [?] [?]"},
    {"DeviceIndex", "[]"},
    {"DevicePlacementOp", "[]"},
    {"DrawBoundingBoxes", "=0"},
    {"DrawBoundingBoxesV2", "=0"},
    {"DtypeWithDefaultOp", "[]"},
    {"DummyIterationCounter", "[]"},
    {"DummyMemoryCache", "[]"},
    {"DummySeedGenerator", "[]"},
    {"EmptyTensorMap", "[]"},
    {"EncodeBase64", "=0"},
    {"EncodeJpeg", "[]"},
    {"EncodeJpegVariableQuality", "[]"},
    {"EncodeWav", "[]"},
    {"ExtractJpegShape", "[3]"},
    {"FFT", "=0"},
    {"FFT2D", "=0"},
    {"FFT3D", "=0"},
    {"FFTND", "=0"},
    {"FakeQueue", "[2]"},
    {"FixedLengthRecordReader", "[2]"},
    {"FixedLengthRecordReaderV2", "[]"},
    {"FractionalAvgPool", "[?,?,?,?] [?] [?]"},
    {"FractionalMaxPool", "[?,?,?,?] [?] [?]"},
    {"GenerateBoundingBoxProposals", "[?,?,4] [?,?]"},
    {"GetOptions", "[]"},
    {"GetSessionHandle", "[]"},
    {"GetSessionHandleV2", "[]"},
    {"GuaranteeConst", "=0"},
    {"HSVToRGB", "=0"},
    {"HashTable", "[2]"},
    {"HashTableV2", "[]"},
    {"HistogramSummary", "[]"},
    {"IFFT", "=0"},
    {"IFFT2D", "=0"},
    {"IFFT3D", "=0"},
    {"IFFTND", "=0"},
    {"IdentityReader", "[2]"},
    {"IdentityReaderV2", "[]"},
    {"ImageSummary", "[]"},
    {"IsBoostedTreesEnsembleInitialized", "[]"},
    {"IsBoostedTreesQuantileStreamResourceInitialized", "[]"},
    {"IsResourceHandleRefCounting", "[]"},
    {"IsTensorFloat32Enabled", "[]"},
    {"IsotonicRegression", "=0 =0"},
    {"Iterator", "[]"},
    {"IteratorFromStringHandle", "[]"},
    {"IteratorFromStringHandleV2", "[]"},
    {"IteratorGetDevice", "[]"},
    {"IteratorGetNextAsOptional", "[]"},
    {"IteratorToStringHandle", "[]"},
    {"IteratorV2", "[]"},
    {"LMDBReader", "[2]"},
    {"LookupTableExport", "[?]"},
    {"LookupTableSize", "[]"},
    {"LookupTableSizeV2", "[]"},
    {"LowerBound", "=1"},
    {"MapIncompleteSize", "[]"},
    {"MapSize", "[]"},
    {"MatchingFiles", "[?]"},
    {"MergeSummary", "[]"},
    {"MultiDeviceIterator", "[]"},
    {"MultiDeviceIteratorFromStringHandle", "[]"},
    {"MultiDeviceIteratorInit", "[]"},
    {"MultiDeviceIteratorToStringHandle", "[]"},
    {"MutableDenseHashTable", "[2]"},
    {"MutableDenseHashTableV2", "[]"},
    {"MutableHashTable", "[2]"},
    {"MutableHashTableOfTensors", "[2]"},
    {"MutableHashTableOfTensorsV2", "[]"},
    {"MutableHashTableV2", "[]"},
    {"MutexLock", "[]"},
    {"MutexV2", "[]"},
    {"NonMaxSuppression", "[?]"},
    {"NonMaxSuppressionV2", "[?]"},
    {"NonMaxSuppressionV3", "[?]"},
    {"NonMaxSuppressionV4", "[?] []"},
    {"NonMaxSuppressionV5", "[?] [?] []"},
    {"NonMaxSuppressionWithOverlaps", "[?]"},
    {"OneShotIterator", "[]"},
    {"OptionalFromValue", "[]"},
    {"OptionalHasValue", "[]"},
    {"OptionalNone", "[]"},
    {"OrderedMapIncompleteSize", "[]"},
    {"OrderedMapSize", "[]"},
    {"Prelinearize", "[]"},
    {"PrelinearizeTuple", "[]"},
    {"PriorityQueue", "[2]"},
    {"PriorityQueueV2", "[]"},
    {"QuantizeDownAndShrinkRange", "=0 [] []"},
    {"QuantizedBiasAdd", "=0 [] []"},
    {"QuantizedInstanceNorm", "=0 [] []"},
    {"QuantizedRelu", "=0 [] []"},
    {"QuantizedRelu6", "=0 [] []"},
    {"QuantizedReluX", "=0 [] []"},
    {"QueueIsClosed", "[]"},
    {"RGBToHSV", "=0"},
    {"RaggedCountSparseOutput", "[?,?] [?] [?]"},
    {"RaggedTensorToSparse", "[?,?] [?] [?]"},
    {"RandomIndexShuffle", "=0"},
    {"ReadFile", "[]"},
    {"ReaderNumRecordsProduced", "[]"},
    {"ReaderNumRecordsProducedV2", "[]"},
    {"ReaderNumWorkUnitsCompleted", "[]"},
    {"ReaderNumWorkUnitsCompletedV2", "[]"},
    {"ReaderRead", "[] []"},
    {"ReaderReadUpTo", "[?] [?]"},
    {"ReaderReadUpToV2", "[?] [?]"},
    {"ReaderReadV2", "[] []"},
    {"ReaderSerializeState", "[]"},
    {"ReaderSerializeStateV2", "[]"},
    {"RecordInput", "[?]"},
    {"RegexFullMatch", "=0"},
    {"RegexReplace", "=0"},
    {"Relayout", "=0"},
    {"RequantizationRange", "[] []"},
    {"RequantizationRangePerChannel", "[] []"},
    {"Requantize", "=0 [] []"},
    {"ResourceAccumulatorNumAccumulated", "[]"},
    {"ResourceInitializedOp", "[]"},
    {"RngReadAndSkip", "[3]"},
    {"SampleDistortedBoundingBox", "[3] [3] [1,1,4]"},
    {"SampleDistortedBoundingBoxV2", "[3] [3] [1,1,4]"},
    {"ScalarSummary", "[]"},
    {"SerializeIterator", "[?]"},
    {"SerializeManySparse", "[?,3]"},
    {"SerializeSparse", "[3]"},
    {"SerializeTensor", "[]"},
    {"ShardedFilename", "[]"},
    {"ShardedFilespec", "[]"},
    {"SparseConditionalAccumulator", "[2]"},
    {"SparseCountSparseOutput", "[?,?] [?] [?]"},
    {"SparseCross", "[?,2] [?] [2]"},
    {"SparseCrossHashed", "[?,2] [?] [2]"},
    {"SparseCrossV2", "[?,2] [?] [2]"},
    {"SparseSparseMaximum", "[?,?] [?]"},
    {"SparseSparseMinimum", "[?,?] [?]"},
    {"SparseToSparseSetOperation", "[?,?] [?] [?]"},
    {"StageSize", "[]"},
    {"StatelessRandomGetAlg", "[]"},
    {"StatelessRandomGetKey", "[1]"},
    {"StatelessRandomGetKeyCounter", "[1] [2]"},
    {"StatelessRandomGetKeyCounterAlg", "[1] [2] []"},
    {"StatelessSampleDistortedBoundingBox", "[3] [3] [1,1,4]"},
    {"StatelessShuffle", "=0"},
    {"StaticRegexFullMatch", "=0"},
    {"StaticRegexReplace", "=0"},
    {"StatsAggregatorHandle", "[]"},
    {"StatsAggregatorHandleV2", "[]"},
    {"StatsAggregatorSummary", "[]"},
    {"StringFormat", "[]"},
    {"StringLength", "=0"},
    {"StringLower", "=0"},
    {"StringSplit", "[?,2] [?] [2]"},
    {"StringSplitV2", "[?,2] [?] [2]"},
    {"StringStrip", "=0"},
    {"StringToHashBucket", "=0"},
    {"StringToHashBucketFast", "=0"},
    {"StringToHashBucketStrong", "=0"},
    {"StringToNumber", "=0"},
    {"StringUpper", "=0"},
    {"Substr", "=0"},
    {"SummaryWriter", "[]"},
    {"TFRecordReader", "[2]"},
    {"TFRecordReaderV2", "[]"},
    {"TakeManySparseFromTensorsMap", "[?,?] [?] [?]"},
    {"TensorDataset", "[]"},
    {"TensorListPushBackBatch", "=0"},
    {"TensorMapHasKey", "[]"},
    {"TensorMapInsert", "[]"},
    {"TensorMapSize", "[]"},
    {"TensorScatterElements", "=0"},
    {"TensorSummary", "[]"},
    {"TensorSummaryV2", "[]"},
    {"TextLineReader", "[2]"},
    {"TextLineReaderV2", "[]"},
    {"Timestamp", "[]"},
    {"ToBool", "[]"},
    {"TridiagonalMatMul", "=3"},
    {"TridiagonalSolve", "=1"},
    {"UnicodeDecode", "[?] [?]"},
    {"UnicodeDecodeWithOffsets", "[?] [?] [?]"},
    {"UnicodeScript", "=0"},
    {"UnicodeTranscode", "=0"},
    {"UniformQuantize", "=0"},
    {"UniformQuantizedClipByValue", "=0"},
    {"UniformRequantize", "=0"},
    {"UnwrapDatasetVariant", "[]"},
    {"UpperBound", "=1"},
    {"WholeFileReader", "[2]"},
    {"WholeFileReaderV2", "[]"},
    {"WrapDatasetVariant", "[]"},
    {"_HostCast", "=0"},
    {"_ParallelConcatUpdate", "=0"},
};
// clang-format on

constexpr bool before(const Pattern& a, const Pattern& b) {
  return a.type < b.type;
}
static_assert(std::is_sorted(std::begin(kPatterns), std::end(kPatterns), before));

const Pattern* find_pattern(std::string_view type) {
  const auto* found =
      std::lower_bound(std::begin(kPatterns), std::end(kPatterns), Pattern{type, {}}, before);
  return found != std::end(kPatterns) && found->type == type ? found : nullptr;
}

std::int64_t number_of(std::string_view text) {
  return parse_as<std::int64_t>(text).value_or(0);
}

// "[?,2]"
Dims dims_of(std::string_view text) {
  Dims dims;
  text = text.substr(1, text.size() - 2);
  while (!text.empty()) {
    const std::string_view dim = take_until(text, ',');
    dims.push_back(dim == "?" ? Dim::unknown() : Dim::of(number_of(dim)));
  }
  return dims;
}

}  // namespace

bool has_pattern(std::string_view type) {
  return find_pattern(type) != nullptr;
}

void by_pattern(RuleContext& context) {
  const Pattern* pattern = find_pattern(context.type());
  if (pattern == nullptr) return;
  std::string_view outputs = pattern->outputs;
  for (std::size_t output = 0; !outputs.empty(); ++output) {
    const std::string_view part = take_until(outputs, ' ');
    if (part.starts_with('=')) {
      const auto input = static_cast<std::size_t>(number_of(part.substr(1)));
      context.set_shape(output, context.fact(input).shape);
    } else if (part.starts_with('[')) {
      context.set_shape(output, dims_of(part));
    }
  }
}

}  // namespace tideline::shapes
