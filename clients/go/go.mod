module loginengine

go 1.19
