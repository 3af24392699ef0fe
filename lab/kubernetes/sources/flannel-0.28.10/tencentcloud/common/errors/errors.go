package errors

type TencentCloudSDKError struct{}

func (*TencentCloudSDKError) Error() string { return "Tencent Cloud's SDK is not in this build" }
