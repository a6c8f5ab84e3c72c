module countersign-verify

go 1.19
