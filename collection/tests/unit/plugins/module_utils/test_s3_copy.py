import io

import pytest
from ansible_collections.playsmith.host.plugins.module_utils import s3_copy

# "Examples: Signature Calculations in AWS Signature Version 4", of Amazon's documentation of S3.
KEYS = {
    "access_key_id": "AKIAIOSFODNN7EXAMPLE",
    "secret_access_key": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "region": "us-east-1",
}
EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
BUCKET = "https://examplebucket.s3.amazonaws.com"


@pytest.mark.parametrize(
    ("path", "headers", "signature"),
    [
        ("/test.txt", {"Range": "bytes=0-9"}, "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
        ("/?lifecycle=", {}, "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        ("/?max-keys=2&prefix=J", {}, "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ],
)
def test_signs_as_the_examples_of_amazon(path, headers, signature):
    signed = {**headers, "x-amz-date": "20130524T000000Z", "x-amz-content-sha256": EMPTY}
    said = s3_copy.authorization("GET", BUCKET + path, signed, KEYS)
    assert said.endswith(",Signature=" + signature)
    assert said.startswith("AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,")
    assert KEYS["secret_access_key"] not in said


def test_a_part_of_a_file_ends_where_the_part_ends():
    part = s3_copy.Slice(io.BytesIO(b"abcdef"), 4)
    assert [part.read(3), part.read(3), part.read(3), s3_copy.Slice(io.BytesIO(b"ab"), 2).read()] == [
        b"abc",
        b"d",
        b"",
        b"ab",
    ]


def test_of_an_error_its_code_and_message_are_said_without_anything_that_a_terminal_obeys():
    body = (
        b"<Error><Code>AccessDenied</Code><Message>no\x1b[2J\nway</Message><AWSAccessKeyId>AK</AWSAccessKeyId></Error>"
    )
    assert s3_copy.said(body) == "AccessDenied: no[2Jway"
    assert s3_copy.said(b"<html>") == ""
