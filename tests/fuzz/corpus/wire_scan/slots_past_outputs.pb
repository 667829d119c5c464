
	
aRelu

b26Relu	a:1048576