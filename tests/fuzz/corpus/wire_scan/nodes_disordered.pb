
E
endAddNmida*
T0*'
_output_shapes
:ÿÿÿÿÿÿÿÿÿ 
B
midRelulow*
T0*'
_output_shapes
:ÿÿÿÿÿÿÿÿÿ 
@
lowRelua*
T0*'
_output_shapes
:ÿÿÿÿÿÿÿÿÿ 
F
aPlaceholder*
dtype0*'
_output_shapes
:ÿÿÿÿÿÿÿÿÿ 