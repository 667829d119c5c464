
	
aNoOpãëìä
Relu
ba:0KL