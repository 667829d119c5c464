// A pattern gives the shape of each output: "=1" is the shape of input 1, "[]" a scalar, "[?,2]"
// these dims, "?" unknown. Outputs after the last one are unknown too.
// Source of the facts: the shapes that TensorFlow 2.15 infers for each type with inputs of many
// shapes; only results that were the same every time are in the table.
#include "core/graph/shapes/patterns.h"

#include <unordered_map>

#include "core/base/parse.h"

namespace tideline::shapes {
namespace {

struct Pattern {
  std::string_view outputs;
  std::string_view types;  // separated by blanks
};

constexpr Pattern kPatterns[] = {
    {"=0",
     "Abs Acos Acosh AdjustContrastv2 AdjustHue AdjustSaturation Angle ApplyAdaMax "
     "ApplyAdadelta ApplyAdagrad ApplyAdagradDA ApplyAdagradV2 ApplyAdam ApplyAddSign "
     "ApplyCenteredRMSProp ApplyFtrl ApplyFtrlV2 ApplyGradientDescent ApplyMomentum "
     "ApplyPowerSign ApplyProximalAdagrad ApplyProximalGradientDescent ApplyRMSProp AsString "
     "Asin Asinh Atan Atanh BatchFFT BatchFFT2D BatchFFT3D BatchIFFT BatchIFFT2D BatchIFFT3D "
     "BatchMatrixBandPart BatchMatrixSetDiag BesselI0 BesselI0e BesselI1 BesselI1e BesselJ0 "
     "BesselJ1 BesselK0 BesselK0e BesselK1 BesselK1e BesselY0 BesselY1 BiasAddV1 Ceil "
     "CholeskyGrad ClipByValue CollectiveReduce CollectiveReduceV2 CollectiveReduceV3 "
     "ComplexAbs Conj Cos Cosh CrossReplicaSum Cumprod Cumsum CumulativeLogsumexp "
     "CustomAggregator DataFormatDimMap DataFormatVecPermute Dawsn DebugIdentityV2 "
     "DebugIdentityV3 DecodeBase64 DecodeCompressed DecodeJSONExample Dequantize "
     "DestroyTemporaryVariable Digamma DrawBoundingBoxes DrawBoundingBoxesV2 Elu EncodeBase64 "
     "Erf Erfc Erfinv Exp Expint Expm1 FFT FFT2D FFT3D FFTND FakeQuantWithMinMaxArgs "
     "FakeQuantWithMinMaxVars FakeQuantWithMinMaxVarsPerChannel Floor FresnelCos FresnelSin "
     "Gelu GuaranteeConst HSVToRGB IFFT IFFT2D IFFT3D IFFTND Imag InplaceAdd InplaceSub "
     "InplaceUpdate Inv InvGrad Invert IsFinite IsInf IsNan LeakyRelu Lgamma Log Log1p "
     "LogSoftmax MatrixBandPart MatrixSetDiag MatrixSetDiagV2 MatrixSetDiagV3 Ndtri "
     "PopulationCount QuantizeAndDequantize QuantizeAndDequantizeV2 QuantizeAndDequantizeV3 "
     "QuantizeAndDequantizeV4 RGBToHSV RandomIndexShuffle RandomShuffle Real Reciprocal "
     "ReciprocalGrad RegexFullMatch RegexReplace Relayout Relu Relu6 Reverse ReverseSequence "
     "ReverseV2 Rint Roll Round Rsqrt RsqrtGrad ScatterAdd ScatterDiv ScatterMax ScatterMin "
     "ScatterMul ScatterNdAdd ScatterNdMax ScatterNdMin ScatterNdNonAliasingAdd ScatterNdSub "
     "ScatterNdUpdate ScatterSub ScatterUpdate Selu Sigmoid SigmoidGrad Sign Sin Sinh Softmax "
     "Softplus Softsign SparseApplyAdadelta SparseApplyAdagrad SparseApplyAdagradDA "
     "SparseApplyAdagradV2 SparseApplyCenteredRMSProp SparseApplyFtrl SparseApplyFtrlV2 "
     "SparseApplyMomentum SparseApplyProximalAdagrad SparseApplyProximalGradientDescent "
     "SparseApplyRMSProp Spence Sqrt SqrtGrad Square StatelessShuffle StaticRegexFullMatch "
     "StaticRegexReplace StridedSliceAssign StringLength StringLower StringStrip "
     "StringToHashBucket StringToHashBucketFast StringToHashBucketStrong StringToNumber "
     "StringUpper Substr Tan Tanh TanhGrad TensorListPushBackBatch TensorScatterAdd "
     "TensorScatterElements TensorScatterMax TensorScatterMin TensorScatterSub "
     "TensorScatterUpdate TensorStridedSliceUpdate UnicodeScript UnicodeTranscode "
     "UniformQuantize UniformQuantizedClipByValue UniformRequantize _CopyFromGpuToHost "
     "_CopyFromHostToGpu _HostCast "
     "_ParallelConcatUpdate _UnaryOpsComposition"},
    {"[]",
     "AccumulatorNumAccumulated AddSparseToTensorsMap AnonymousHashTable AnonymousIterator "
     "AnonymousIteratorV3 AnonymousMultiDeviceIteratorV3 AnonymousMutableDenseHashTable "
     "AnonymousMutableHashTable AnonymousMutableHashTableOfTensors AudioSummary AudioSummaryV2 "
     "BarrierIncompleteSize BarrierReadySize CollectiveInitializeCommunicator "
     "CompositeTensorVariantFromComponents CompressElement ComputeBatchSize ConcatenateDataset "
     "CountUpTo DatasetCardinality DatasetFromGraph DatasetToGraph DatasetToGraphV2 "
     "DebugNanCount DenseToCSRSparseMatrix DeviceIndex DevicePlacementOp DtypeWithDefaultOp "
     "DummyIterationCounter DummyMemoryCache DummySeedGenerator EmptyTensorMap EncodeJpeg "
     "EncodeJpegVariableQuality EncodeWav FixedLengthRecordReaderV2 GetOptions "
     "GetSessionHandle GetSessionHandleV2 HashTableV2 HistogramSummary IdentityReaderV2 "
     "ImageSummary IsBoostedTreesEnsembleInitialized "
     "IsBoostedTreesQuantileStreamResourceInitialized IsResourceHandleRefCounting "
     "IsTensorFloat32Enabled IsVariableInitialized Iterator IteratorFromStringHandle "
     "IteratorFromStringHandleV2 IteratorGetDevice IteratorGetNextAsOptional "
     "IteratorToStringHandle IteratorV2 L2Loss LookupTableSize LookupTableSizeV2 "
     "MapIncompleteSize MapSize MergeSummary MultiDeviceIterator "
     "MultiDeviceIteratorFromStringHandle MultiDeviceIteratorInit "
     "MultiDeviceIteratorToStringHandle MutableDenseHashTableV2 MutableHashTableOfTensorsV2 "
     "MutableHashTableV2 MutexLock MutexV2 OneShotIterator OptionalFromValue OptionalHasValue "
     "OptionalNone OrderedMapIncompleteSize OrderedMapSize Prelinearize PrelinearizeTuple "
     "PriorityQueueV2 QueueIsClosed QueueIsClosedV2 QueueSize QueueSizeV2 ReadFile "
     "ReaderNumRecordsProduced ReaderNumRecordsProducedV2 ReaderNumWorkUnitsCompleted "
     "ReaderNumWorkUnitsCompletedV2 ReaderSerializeState ReaderSerializeStateV2 "
     "ResourceAccumulatorNumAccumulated ResourceCountUpTo ResourceInitializedOp ScalarSummary "
     "SerializeTensor ShardedFilename ShardedFilespec StageSize StatelessRandomGetAlg "
     "StatsAggregatorHandle StatsAggregatorHandleV2 StatsAggregatorSummary StringFormat "
     "SummaryWriter TFRecordReaderV2 TensorDataset TensorMapHasKey TensorMapInsert "
     "TensorMapSize TensorSummary TensorSummaryV2 TextLineReaderV2 Timestamp ToBool "
     "UnwrapDatasetVariant VarIsInitializedOp WholeFileReaderV2 WrapDatasetVariant"},
    {"[2]",
     "Barrier FakeQueue FixedLengthRecordReader HashTable IdentityReader LMDBReader "
     "MutableDenseHashTable MutableHashTable MutableHashTableOfTensors PriorityQueue "
     "SparseConditionalAccumulator TFRecordReader TextLineReader WholeFileReader"},
    {"[?,?] [?] [?]",
     "DenseCountSparseOutput DenseToDenseSetOperation DenseToSparseSetOperation "
     "DeserializeManySparse DeserializeSparse RaggedCountSparseOutput RaggedTensorToSparse "
     "SparseCountSparseOutput SparseToSparseSetOperation TakeManySparseFromTensorsMap"},
    {"[?]",
     "AddManySparseToTensorsMap LookupTableExport MatchingFiles NonMaxSuppression "
     "NonMaxSuppressionV2 NonMaxSuppressionV3 NonMaxSuppressionWithOverlaps RecordInput "
     "SerializeIterator"},
    {"[] []",
     "AnonymousIteratorV2 AnonymousMemoryCache AnonymousMultiDeviceIterator "
     "AnonymousRandomSeedGenerator AnonymousSeedGenerator ReaderRead ReaderReadV2 "
     "RequantizationRange RequantizationRangePerChannel"},
    {"=0 [] []",
     "QuantizeDownAndShrinkRange QuantizedBiasAdd QuantizedInstanceNorm QuantizedRelu "
     "QuantizedRelu6 QuantizedReluX Requantize"},
    {"[?,2] [?] [2]", "SparseCross SparseCrossHashed SparseCrossV2 StringSplit StringSplitV2"},
    {"=1", "LowerBound TridiagonalSolve UpperBound"},
    {"[3]", "ExtractJpegShape RngReadAndSkip SerializeSparse"},
    {"[3] [3] [1,1,4]",
     "SampleDistortedBoundingBox SampleDistortedBoundingBoxV2 "
     "StatelessSampleDistortedBoundingBox"},
    {"[?] [?]", "ReaderReadUpTo ReaderReadUpToV2 UnicodeDecode"},
    {"[1]", "CudnnRNNParamsSize StatelessRandomGetKey"},
    {"[?,?,?,?] [?] [?]", "FractionalAvgPool FractionalMaxPool"},
    {"[?,?] [?]", "SparseSparseMaximum SparseSparseMinimum"},
    {"[?] [?] [?]", "ComputeAccidentalHits UnicodeDecodeWithOffsets"},
    {"=0 =0", "IsotonicRegression"},
    {"=3", "TridiagonalMatMul"},
    {"[1] [2]", "StatelessRandomGetKeyCounter"},
    {"[1] [2] []", "StatelessRandomGetKeyCounterAlg"},
    {"[?,3]", "SerializeManySparse"},
    {"[?,?,4] [?,?]", "GenerateBoundingBoxProposals"},
    {"[?,?,4] [?,?] [?,?] [?]", "CombinedNonMaxSuppression"},
    {"[?,?,?,3]", "DecodeGif"},
    {"[?] [?] []", "NonMaxSuppressionV5"},
    {"[?] []", "NonMaxSuppressionV4"},
};

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

std::string_view pattern_of(std::string_view type) {
  static const auto kOutputs = [] {
    std::unordered_map<std::string_view, std::string_view> outputs;
    for (const Pattern& pattern : kPatterns) {
      for (std::string_view types = pattern.types; !types.empty();) {
        outputs.emplace(take_until(types, ' '), pattern.outputs);
      }
    }
    return outputs;
  }();
  const auto found = kOutputs.find(type);
  return found == kOutputs.end() ? std::string_view() : found->second;
}

void by_pattern(RuleContext& context) {
  std::string_view outputs = pattern_of(context.type());
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
