// The names of Python that TensorFlow 1's library refers to: a library of its own, which becomes
// bytes of the program and is loaded by a worker before that of TensorFlow 1 (old_tensorflow.cc).
//
// The C interface calls none of these functions. An op that runs Python code, PyFunc, asks first
// whether there is an interpreter; the answer is 0, and it fails with a message. Source: the symbol
// tables of the libraries of tensorflow 1.13.2, 1.14.0 and 1.15.5 (facts).
namespace {
constexpr int kMostBytesOfObject = 512;  // a type object has some 400
}

#define TIDELINE_FUNCTION(name)                         \
  __attribute__((visibility("default"))) void* name() { \
    return nullptr;                                     \
  }
#define TIDELINE_OBJECT(name) \
  alignas(16) __attribute__((visibility("default"))) char name[kMostBytesOfObject] = {};

extern "C" {
// clang-format off
TIDELINE_FUNCTION(PyArg_ParseTuple) TIDELINE_FUNCTION(PyArg_ParseTupleAndKeywords)
TIDELINE_FUNCTION(PyArg_UnpackTuple) TIDELINE_FUNCTION(PyBool_FromLong)
TIDELINE_FUNCTION(PyBytes_AsString) TIDELINE_FUNCTION(PyBytes_AsStringAndSize)
TIDELINE_FUNCTION(PyBytes_FromStringAndSize) TIDELINE_FUNCTION(PyCFunction_NewEx)
TIDELINE_FUNCTION(PyCallable_Check) TIDELINE_FUNCTION(PyCapsule_GetPointer)
TIDELINE_FUNCTION(PyCapsule_Import) TIDELINE_FUNCTION(PyCapsule_New)
TIDELINE_FUNCTION(PyComplex_AsCComplex) TIDELINE_FUNCTION(PyComplex_ImagAsDouble)
TIDELINE_FUNCTION(PyComplex_RealAsDouble) TIDELINE_FUNCTION(PyDict_GetItem)
TIDELINE_FUNCTION(PyDict_Keys) TIDELINE_FUNCTION(PyDict_New) TIDELINE_FUNCTION(PyDict_Next)
TIDELINE_FUNCTION(PyDict_SetItem) TIDELINE_FUNCTION(PyDict_SetItemString)
TIDELINE_FUNCTION(PyDict_Size) TIDELINE_FUNCTION(PyErr_Clear)
TIDELINE_FUNCTION(PyErr_ExceptionMatches) TIDELINE_FUNCTION(PyErr_Fetch)
TIDELINE_FUNCTION(PyErr_Format) TIDELINE_FUNCTION(PyErr_NormalizeException)
TIDELINE_FUNCTION(PyErr_Occurred) TIDELINE_FUNCTION(PyErr_Print) TIDELINE_FUNCTION(PyErr_Restore)
TIDELINE_FUNCTION(PyErr_SetObject) TIDELINE_FUNCTION(PyErr_SetString)
TIDELINE_FUNCTION(PyErr_WriteUnraisable) TIDELINE_FUNCTION(PyEval_CallObjectWithKeywords)
TIDELINE_FUNCTION(PyEval_RestoreThread) TIDELINE_FUNCTION(PyEval_SaveThread)
TIDELINE_FUNCTION(PyFloat_AsDouble) TIDELINE_FUNCTION(PyFloat_FromDouble)
TIDELINE_FUNCTION(PyGILState_Ensure) TIDELINE_FUNCTION(PyGILState_Release)
TIDELINE_FUNCTION(PyImport_AddModule) TIDELINE_FUNCTION(PyImport_Import)
TIDELINE_FUNCTION(PyImport_ImportModule) TIDELINE_FUNCTION(PyInstanceMethod_New)
TIDELINE_FUNCTION(PyIter_Next) TIDELINE_FUNCTION(PyList_Append) TIDELINE_FUNCTION(PyList_GetItem)
TIDELINE_FUNCTION(PyList_New) TIDELINE_FUNCTION(PyList_SetItem) TIDELINE_FUNCTION(PyList_Size)
TIDELINE_FUNCTION(PyList_Sort) TIDELINE_FUNCTION(PyLong_AsDouble) TIDELINE_FUNCTION(PyLong_AsLong)
TIDELINE_FUNCTION(PyLong_AsLongAndOverflow) TIDELINE_FUNCTION(PyLong_AsLongLong)
TIDELINE_FUNCTION(PyLong_AsLongLongAndOverflow) TIDELINE_FUNCTION(PyLong_AsUnsignedLong)
TIDELINE_FUNCTION(PyLong_AsUnsignedLongLong) TIDELINE_FUNCTION(PyLong_FromLong)
TIDELINE_FUNCTION(PyLong_FromLongLong) TIDELINE_FUNCTION(PyLong_FromSize_t)
TIDELINE_FUNCTION(PyLong_FromUnsignedLong) TIDELINE_FUNCTION(PyLong_FromUnsignedLongLong)
TIDELINE_FUNCTION(PyLong_FromVoidPtr) TIDELINE_FUNCTION(PyMapping_HasKey)
TIDELINE_FUNCTION(PyMapping_Keys) TIDELINE_FUNCTION(PyMapping_Size)
TIDELINE_FUNCTION(PyModule_AddObject) TIDELINE_FUNCTION(PyModule_Create2)
TIDELINE_FUNCTION(PyModule_GetDict) TIDELINE_FUNCTION(PyNumber_Float)
TIDELINE_FUNCTION(PyNumber_Long) TIDELINE_FUNCTION(PyObject_Call)
TIDELINE_FUNCTION(PyObject_CallFunctionObjArgs) TIDELINE_FUNCTION(PyObject_CallMethod)
TIDELINE_FUNCTION(PyObject_CallMethodObjArgs) TIDELINE_FUNCTION(PyObject_CallObject)
TIDELINE_FUNCTION(PyObject_ClearWeakRefs) TIDELINE_FUNCTION(PyObject_Free)
TIDELINE_FUNCTION(PyObject_GC_UnTrack) TIDELINE_FUNCTION(PyObject_GenericGetAttr)
TIDELINE_FUNCTION(PyObject_GetAttr) TIDELINE_FUNCTION(PyObject_GetAttrString)
TIDELINE_FUNCTION(PyObject_GetBuffer) TIDELINE_FUNCTION(PyObject_GetItem)
TIDELINE_FUNCTION(PyObject_GetIter) TIDELINE_FUNCTION(PyObject_HasAttrString)
TIDELINE_FUNCTION(PyObject_Hash) TIDELINE_FUNCTION(PyObject_Init)
TIDELINE_FUNCTION(PyObject_IsInstance) TIDELINE_FUNCTION(PyObject_IsSubclass)
TIDELINE_FUNCTION(PyObject_IsTrue) TIDELINE_FUNCTION(PyObject_Malloc)
TIDELINE_FUNCTION(PyObject_Repr) TIDELINE_FUNCTION(PyObject_RichCompareBool)
TIDELINE_FUNCTION(PyObject_SetAttr) TIDELINE_FUNCTION(PyObject_Size) TIDELINE_FUNCTION(PyObject_Str)
TIDELINE_FUNCTION(PyRun_SimpleStringFlags) TIDELINE_FUNCTION(PySequence_Check)
TIDELINE_FUNCTION(PySequence_Fast) TIDELINE_FUNCTION(PySequence_GetItem)
TIDELINE_FUNCTION(PySequence_Size) TIDELINE_FUNCTION(PySequence_Tuple)
TIDELINE_FUNCTION(PySys_WriteStdout) TIDELINE_FUNCTION(PyThreadState_Get)
TIDELINE_FUNCTION(PyTuple_GetItem) TIDELINE_FUNCTION(PyTuple_New) TIDELINE_FUNCTION(PyTuple_SetItem)
TIDELINE_FUNCTION(PyTuple_Size) TIDELINE_FUNCTION(PyType_FromSpecWithBases)
TIDELINE_FUNCTION(PyType_GenericNew) TIDELINE_FUNCTION(PyType_IsSubtype)
TIDELINE_FUNCTION(PyType_Ready) TIDELINE_FUNCTION(PyUnicode_AsASCIIString)
TIDELINE_FUNCTION(PyUnicode_AsUTF8) TIDELINE_FUNCTION(PyUnicode_AsUTF8AndSize)
TIDELINE_FUNCTION(PyUnicode_AsUTF8String) TIDELINE_FUNCTION(PyUnicode_Concat)
TIDELINE_FUNCTION(PyUnicode_DecodeUTF8) TIDELINE_FUNCTION(PyUnicode_FromFormat)
TIDELINE_FUNCTION(PyUnicode_FromString) TIDELINE_FUNCTION(PyUnicode_FromStringAndSize)
TIDELINE_FUNCTION(PyUnicode_InternFromString) TIDELINE_FUNCTION(PyWeakref_NewRef)
TIDELINE_FUNCTION(Py_BuildValue) TIDELINE_FUNCTION(Py_DecRef) TIDELINE_FUNCTION(Py_IsInitialized)
TIDELINE_FUNCTION(_PyArg_NoKeywords) TIDELINE_FUNCTION(_PyObject_New)
TIDELINE_FUNCTION(_Py_CheckRecursiveCall)

TIDELINE_OBJECT(PyBool_Type) TIDELINE_OBJECT(PyCFunction_Type) TIDELINE_OBJECT(PyCapsule_Type)
TIDELINE_OBJECT(PyComplex_Type) TIDELINE_OBJECT(PyExc_AssertionError)
TIDELINE_OBJECT(PyExc_AttributeError) TIDELINE_OBJECT(PyExc_BufferError)
TIDELINE_OBJECT(PyExc_Exception) TIDELINE_OBJECT(PyExc_IOError) TIDELINE_OBJECT(PyExc_ImportError)
TIDELINE_OBJECT(PyExc_IndexError) TIDELINE_OBJECT(PyExc_MemoryError)
TIDELINE_OBJECT(PyExc_NotImplementedError) TIDELINE_OBJECT(PyExc_OverflowError)
TIDELINE_OBJECT(PyExc_RuntimeError) TIDELINE_OBJECT(PyExc_StopIteration)
TIDELINE_OBJECT(PyExc_SyntaxError) TIDELINE_OBJECT(PyExc_SystemError)
TIDELINE_OBJECT(PyExc_TypeError) TIDELINE_OBJECT(PyExc_ValueError)
TIDELINE_OBJECT(PyExc_ZeroDivisionError) TIDELINE_OBJECT(PyFloat_Type) TIDELINE_OBJECT(PySet_Type)
TIDELINE_OBJECT(PyTuple_Type) TIDELINE_OBJECT(PyType_Type) TIDELINE_OBJECT(_Py_CheckRecursionLimit)
TIDELINE_OBJECT(_Py_FalseStruct) TIDELINE_OBJECT(_Py_NoneStruct)
TIDELINE_OBJECT(_Py_NotImplementedStruct) TIDELINE_OBJECT(_Py_TrueStruct)
// clang-format on
}
