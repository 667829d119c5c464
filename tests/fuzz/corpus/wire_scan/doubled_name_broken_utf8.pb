
	
aNoOp

ÿ
bNoOp