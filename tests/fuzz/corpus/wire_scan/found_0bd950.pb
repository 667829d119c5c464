
1
m,
*
MyOp	
o"T*N"	
Ttype"
Nint€
8
xMyOp*
T0*$
_output_shapes
::
D
yRelosslux:2*
T0*'
_output_shapes
:ÿÿÿÿÿÿÿÿÿ 

v"t"
	variables

a"
k

a
a"*
trainable_variables

x:0x/Assign"
losses	

z:0
1
m,
*
MyOp	
o"T*N"	
Ttype"
Nint"

s

a"
	variables

a