
>
v
VariableV2x:2*0
dtype*
shape:	Š€€€€€€
!
v/AssignAssignvx*
T0
8
xnoCst*
$type0*
_output_shapes
:	

?
v/readIdentity*
_output_shapes
:	
*
T0v
O
gradients/mMatMulv:0x*
T0*'
_output_shapes
:ÿÿÿÿÿÿÿÿÿ 
5
uApplyGradientDescentvxgradients/m*
T0
,
hVarHandleOp*
dtype0*
shape:
(
wAssignSubVariableOphgradients/m

T0