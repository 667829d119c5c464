
	
aRelu

bRelu	a:1048577