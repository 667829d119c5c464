
F
xPlaceholder*
dtype0*'
_output_shapes
:ÿÿÿÿÿÿÿÿÿ 
D
callmy_fnx*2
_output_shapes 
:::
J
pPartitionedCallcall:1*
Tin
2*
Tout
2*
f	R
my_fn
!
endAddNcall:2p:1*
T0q
c
=
my_fn
x
y	
z"T*N"
Ttype0"
Nint
nRelux"
yn:activations:0

my_fng"ó
