#include "core/graph/shapes/rules.h"

#include <unordered_map>

#include "core/base/parse.h"
#include "core/graph/shapes/rule_families.h"
#include "core/graph/shapes/rule_tools.h"

namespace tideline::shapes {
namespace {

// A pattern gives the shape of each output: "=1" is the shape of input 1, "@1" the shape whose dims
// are its elements, "@shape" that of the attribute, "[]" a scalar, "[?,2]" these dims, "?" unknown.
// Dims may be those of inputs, "1.0" the first of input 1, or elements: "1:0" the first, "1:" the
// only one. Outputs after the last one are unknown too, or like it where "..." follows.
// Source of the facts for types with plain patterns: the shapes that TensorFlow 2.15 infers for
// each type with inputs of many shapes; only results that were the same every time are in the
// table.
struct Pattern {
  std::string_view outputs;
  std::string_view types;  // separated by blanks
};

constexpr Pattern kPatterns[] = {
    {"=0",
     "Abs Acos Acosh AdjustContrastv2 AdjustHue AdjustSaturation Angle ApplyAdaMax ApplyAdadelta "
     "ApplyAdagrad ApplyAdagradDA ApplyAdagradV2 ApplyAdam ApplyAddSign ApplyCenteredRMSProp "
     "ApplyFtrl ApplyFtrlV2 ApplyGradientDescent ApplyMomentum ApplyPowerSign "
     "ApplyProximalAdagrad ApplyProximalGradientDescent ApplyRMSProp AsString Asin Asinh Atan "
     "Atanh BatchFFT BatchFFT2D BatchFFT3D BatchIFFT BatchIFFT2D BatchIFFT3D BatchMatrixBandPart "
     "BatchMatrixSetDiag BatchNormWithGlobalNormalization BesselI0 BesselI0e BesselI1 BesselI1e "
     "BesselJ0 BesselJ1 BesselK0 BesselK0e BesselK1 BesselK1e BesselY0 BesselY1 BiasAddV1 "
     "Bucketize Ceil CholeskyGrad ClipByValue CollectiveReduce CollectiveReduceV2 "
     "CollectiveReduceV3 ComplexAbs Conj Conv2DBackpropInputV2 Conv3DBackpropInput Cos Cosh "
     "CrossReplicaSum Cumprod Cumsum CumulativeLogsumexp CustomAggregator "
     "Dawsn DebugIdentityV2 DebugIdentityV3 DecodeBase64 DecodeCompressed "
     "DecodeJSONExample Dequantize DestroyTemporaryVariable Digamma Dilation2DBackpropInput "
     "DrawBoundingBoxes DrawBoundingBoxesV2 Elu EncodeBase64 Erf Erfc Erfinv Exp Expint Expm1 FFT "
     "FFT2D FFT3D FFTND FakeQuantWithMinMaxArgs FakeQuantWithMinMaxVars "
     "FakeQuantWithMinMaxVarsPerChannel Floor FresnelCos FresnelSin Gelu GuaranteeConst HSVToRGB "
     "IFFT IFFT2D IFFT3D IFFTND Imag InplaceAdd InplaceSub InplaceUpdate Inv InvGrad Invert "
     "IsFinite IsInf IsNan LeakyRelu Lgamma Log Log1p LogSoftmax MatrixBandPart MatrixSetDiag "
     "MatrixSetDiagV2 MatrixSetDiagV3 Ndtri PopulationCount QuantizeAndDequantize "
     "QuantizeAndDequantizeV2 QuantizeAndDequantizeV3 QuantizeAndDequantizeV4 RGBToHSV "
     "RandomIndexShuffle RandomShuffle Real Reciprocal ReciprocalGrad RegexFullMatch RegexReplace "
     "Relayout Relu Relu6 Reverse ReverseSequence ReverseV2 Rint Roll Round Rsqrt RsqrtGrad "
     "ScatterAdd ScatterDiv ScatterMax ScatterMin ScatterMul ScatterNdAdd ScatterNdMax "
     "ScatterNdMin ScatterNdNonAliasingAdd ScatterNdSub ScatterNdUpdate ScatterSub ScatterUpdate "
     "Selu Sigmoid SigmoidGrad Sign Sin Sinh Softmax Softplus Softsign SparseApplyAdadelta "
     "SparseApplyAdagrad SparseApplyAdagradDA SparseApplyAdagradV2 SparseApplyCenteredRMSProp "
     "SparseApplyFtrl SparseApplyFtrlV2 SparseApplyMomentum SparseApplyProximalAdagrad "
     "SparseApplyProximalGradientDescent SparseApplyRMSProp Spence Sqrt SqrtGrad Square "
     "StatelessShuffle StaticRegexFullMatch StaticRegexReplace StridedSliceAssign StringLength "
     "StringLower StringStrip StringToHashBucket StringToHashBucketFast StringToHashBucketStrong "
     "StringToNumber StringUpper Substr Tan Tanh TanhGrad TensorListPushBackBatch "
     "TensorScatterAdd TensorScatterElements TensorScatterMax TensorScatterMin TensorScatterSub "
     "TensorScatterUpdate TensorStridedSliceUpdate UnicodeScript UnicodeTranscode UniformQuantize "
     "UniformQuantizedClipByValue UniformRequantize _HostCast _ParallelConcatUpdate "
     "_UnaryOpsComposition"},
    {"[]",
     "AccumulatorNumAccumulated AddSparseToTensorsMap AnonymousHashTable AnonymousIterator "
     "AnonymousIteratorV3 AnonymousMultiDeviceIteratorV3 AnonymousMutableDenseHashTable "
     "AnonymousMutableHashTable AnonymousMutableHashTableOfTensors AudioSummary AudioSummaryV2 "
     "BarrierIncompleteSize BarrierReadySize CollectiveInitializeCommunicator "
     "CompositeTensorVariantFromComponents CompressElement ComputeBatchSize ConcatenateDataset "
     "CountUpTo DatasetCardinality DatasetFromGraph DatasetToGraph DatasetToGraphV2 DebugNanCount "
     "DenseToCSRSparseMatrix DeviceIndex DevicePlacementOp DtypeWithDefaultOp "
     "DummyIterationCounter DummyMemoryCache DummySeedGenerator EmptyTensorMap EncodeJpeg "
     "EncodeJpegVariableQuality EncodeWav FixedLengthRecordReaderV2 GetOptions GetSessionHandle "
     "GetSessionHandleV2 HashTableV2 HistogramSummary IdentityReaderV2 ImageSummary "
     "IsBoostedTreesEnsembleInitialized IsBoostedTreesQuantileStreamResourceInitialized "
     "IsResourceHandleRefCounting IsTensorFloat32Enabled IsVariableInitialized Iterator "
     "IteratorFromStringHandle IteratorFromStringHandleV2 IteratorGetDevice "
     "IteratorGetNextAsOptional IteratorToStringHandle IteratorV2 L2Loss LookupTableSize "
     "LookupTableSizeV2 LoopCond MapIncompleteSize MapSize MergeSummary MultiDeviceIterator "
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
     "SummaryWriter TFRecordReaderV2 TensorDataset TensorMapHasKey TensorMapInsert TensorMapSize "
     "TensorSummary TensorSummaryV2 TextLineReaderV2 Timestamp ToBool UnwrapDatasetVariant "
     "VarIsInitializedOp WholeFileReaderV2 WrapDatasetVariant"},
    {"[2]",
     "Barrier FakeQueue FixedLengthRecordReader HashTable IdentityReader LMDBReader "
     "MutableDenseHashTable MutableHashTable MutableHashTableOfTensors PriorityQueue "
     "SparseConditionalAccumulator TFRecordReader TextLineReader WholeFileReader"},
    {"[?,?] [?] [?]",
     "DenseCountSparseOutput DenseToDenseSetOperation DenseToSparseSetOperation "
     "DeserializeManySparse DeserializeSparse RaggedCountSparseOutput RaggedTensorToSparse "
     "SparseCountSparseOutput SparseReduceMaxSparse SparseReduceSumSparse "
     "SparseToSparseSetOperation TakeManySparseFromTensorsMap"},
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
    {"=1",
     "Conv2DBackpropFilterV2 Conv3DBackpropFilter Dilation2DBackpropFilter LowerBound "
     "ResizeBicubicGrad ResizeBilinearGrad ScaleAndTranslateGrad SparseSoftmax TridiagonalSolve "
     "UpperBound"},
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
    {"=3", "SparseTensorDenseAdd TridiagonalMatMul"},
    {"[1] [2]", "StatelessRandomGetKeyCounter"},
    {"[1] [2] []", "StatelessRandomGetKeyCounterAlg"},
    {"[?,3]", "SerializeManySparse"},
    {"[?,?,4] [?,?]", "GenerateBoundingBoxProposals"},
    {"[?,?,4] [?,?] [?,?] [?]", "CombinedNonMaxSuppression"},
    {"[?,?,?,3]", "DecodeGif"},
    {"[?] [?] []", "NonMaxSuppressionV5"},
    {"[?] []", "NonMaxSuppressionV4"},
    {"=2", "CropAndResizeGradBoxes"},
    {"=0 =1", "SparseReorder"},
    {"=0 =1 =2 =3", "CudnnRNNBackprop CudnnRNNBackpropV2 CudnnRNNBackpropV3"},
    {"=1 =2 =3 =4 =5 =6 =7 =8", "BlockLSTMGrad BlockLSTMGradV2"},
    {"=0 ...", "DecodeCSV"},
    {"[2] []", "TensorArrayGradWithShape"},
    {"[0.0] []", "SparseFillEmptyRowsGrad"},
    {"[0.0]", "SparseDenseCwiseAdd SparseDenseCwiseDiv SparseDenseCwiseMul"},
    {"[0.0,2.0] [2.0]", "SparseReshape"},
    {"[1.0] [2.0]", "SparseAddGrad"},
    {"[?,0.1] [?] [2:0] [1.0]", "SparseFillEmptyRows"},
    {"[0.0,1.1] ...", "GRUBlockCell LSTMBlockCell"},
    {"[1:]", "Bincount"},
    {"[2:]", "HistogramFixedWidth LinSpace"},
    {"@shape",
     "AutoReloadVariable FakeParam ImmutableConst InfeedDequeue OutfeedDequeue ParallelConcat "
     "TemporaryVariable VariableV2"},
    {"@0",
     "Empty NonDeterministicInts ParameterizedTruncatedNormal RandomStandardNormal RandomUniform "
     "RandomUniformInt StatelessParameterizedTruncatedNormal StatelessRandomBinomial "
     "StatelessRandomGammaV2 StatelessRandomGammaV3 StatelessRandomNormal StatelessRandomNormalV2 "
     "StatelessRandomPoisson StatelessRandomUniform StatelessRandomUniformFullInt "
     "StatelessRandomUniformFullIntV2 StatelessRandomUniformInt StatelessRandomUniformIntV2 "
     "StatelessRandomUniformV2 StatelessTruncatedNormal StatelessTruncatedNormalV2 "
     "StridedSliceGrad TruncatedNormal"},
    {"@1", "BroadcastTo SparseToDense"},
    {"@2",
     "ScatterNd StatefulRandomBinomial StatefulStandardNormalV2 StatefulTruncatedNormal "
     "StatefulUniform StatefulUniformFullInt StatefulUniformInt"},
};

std::size_t number_of(std::string_view text) {
  return parse_as<std::size_t>(text).value_or(0);
}

// "?", "2", "1.0", "1:0", "1:"
Dim dim_of(const RuleContext& context, std::string_view text) {
  if (text == "?") return Dim::unknown();
  const std::size_t mark = text.find_first_of(".:");
  const std::size_t number = number_of(text.substr(0, mark));
  if (mark == std::string_view::npos) return Dim::of(static_cast<std::int64_t>(number));
  const std::string_view at = text.substr(mark + 1);
  if (at.empty()) return only_element(context, number);
  const Dims* dims = text[mark] == '.' ? context.shape(number) : context.value(number);
  return dim_at(dims, number_of(at));
}

// "[?,2]"
Dims dims_of(const RuleContext& context, std::string_view text) {
  Dims dims;
  text = text.substr(1, text.size() - 2);
  while (!text.empty()) dims.push_back(dim_of(context, take_until(text, ',')));
  return dims;
}

void set_part(RuleContext& context, std::size_t output, std::string_view part) {
  const std::string_view rest = part.substr(1);
  if (part == "@shape") {
    context.set_shape(output, context.shape_attribute(rest));
  } else if (part.starts_with('@')) {
    context.set_shape(output, shape_from_value(context, number_of(rest)));
  } else if (part.starts_with('=')) {
    context.set_shape(output, context.fact(number_of(rest)).shape);
  } else if (part.starts_with('[')) {
    context.set_shape(output, dims_of(context, part));
  }
}

// The shapes of the outputs of an op type as the table has them; empty when it has none.
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

// The rule that applies the table. Precondition: the op's type has a pattern.
void by_pattern(RuleContext& context) {
  std::string_view outputs = pattern_of(context.type());
  std::string_view part;
  for (std::size_t output = 0; output < context.output_count() && !outputs.empty(); ++output) {
    if (outputs != "...") part = take_until(outputs, ' ');
    set_part(context, output, part);
  }
}

}  // namespace
}  // namespace tideline::shapes

namespace tideline {
namespace {

std::unordered_map<std::string_view, ShapeRule> all_rules() {
  std::unordered_map<std::string_view, ShapeRule> rules;
  for (const auto family :
       {shapes::kArithmeticRules,    shapes::kArrayRules,         shapes::kContainerRules,
        shapes::kControlRules,       shapes::kConvolutionRules,   shapes::kElementwiseRules,
        shapes::kGatherRules,        shapes::kImageRules,         shapes::kJoinSplitRules,
        shapes::kLinearAlgebraRules, shapes::kNormalizationRules, shapes::kPoolingRules,
        shapes::kProductRules,       shapes::kRandomRules,        shapes::kRecurrentRules,
        shapes::kReductionRules,     shapes::kSliceRules,         shapes::kSourceRules,
        shapes::kSparseRules,        shapes::kStateRules,         shapes::kValueRules}) {
    for (ShapeRuleEntry entry : family) {
      while (!entry.types.empty()) rules.emplace(take_until(entry.types, ' '), entry.rule);
    }
  }
  return rules;
}

// A dataset is one variant, whatever it yields: ...Dataset, ...DatasetV3.
bool is_dataset(std::string_view type) {
  if (const std::size_t mark = type.rfind('V'); mark != std::string_view::npos) {
    const std::string_view digits = type.substr(mark + 1);
    if (digits.size() == 1 && digits[0] >= '2' && digits[0] <= '9') type = type.substr(0, mark);
  }
  return type.ends_with("Dataset");
}

}  // namespace

ShapeRule shape_rule(std::string_view type) {
  static const auto kRules = all_rules();
  if (const auto rule = kRules.find(type); rule != kRules.end()) return rule->second;
  const std::string_view pattern = shapes::pattern_of(type);
  if (pattern == "=0") return shapes::same_as_first;
  if (!pattern.empty() && pattern != "[]") return shapes::by_pattern;
  return !pattern.empty() || is_dataset(type) ? shapes::scalar : nullptr;
}

}  // namespace tideline
