"""Bodies as each kind of receiver reads them."""
import json
from email.message import EmailMessage

from playsmith.messages import facts


def plain(of):
    return of


def slack(of):
    """Its markup begins with these three, and its own way to write them is HTML's."""
    text = "\n".join([facts.title(of)] + facts.lines(of))
    for sign, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
        text = text.replace(sign, name)
    return {"text": text, "mrkdwn": False, "unfurl_links": False}


def matrix(of):
    """A notice: no program shall answer it. Without a formatted body nothing in it is markup."""
    return {"msgtype": "m.notice", "body": "\n".join([facts.title(of)] + facts.lines(of))}


def teams(of):
    """A card whose texts are runs, which have no markup; those of a TextBlock are Markdown."""
    blocks = [block(facts.title(of), weight="bolder")] + [block(each) for each in facts.lines(of)]
    card = {"type": "AdaptiveCard", "version": "1.4", "body": blocks}
    return {"type": "message", "attachments": [{"contentType": "application/vnd.microsoft.card.adaptive", "content": card}]}


def block(text, **how):
    return {"type": "RichTextBlock", "inlines": [dict(how, type="TextRun", text=text)]}


BODIES = {"webhook": plain, "slack": slack, "matrix": matrix, "teams": teams}


def body(kind, of):
    return json.dumps(BODIES[kind](of), ensure_ascii=False).encode()


def mail(receiver, of):
    message = EmailMessage()
    message["Subject"] = "[playsmith] " + facts.title(of)
    message["To"] = ", ".join(receiver["to"])
    if receiver["from"]:
        message["From"] = receiver["from"]
    message["Auto-Submitted"] = "auto-generated"
    message.set_content("\n".join(facts.lines(of)) + "\n")
    return message.as_bytes()
