# mirror_register.py
"""Copies the risk register to register.json: BASE=… KEY=… python3 mirror_register.py"""
import json, os, sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen
FILE, LEFT = Path("register.json"), ("occurred", "closed")  # Risks that left the register.
copy = json.loads(FILE.read_text()) if FILE.exists() else {"after": {}, "risks": {}}
events, more = 0, True
while more:
    query = urlencode({"type": "risk.*", "include": "states", "limit": 1000, **copy["after"]})
    headers = {"Authorization": f"Bearer {os.environ['KEY']}"}
    try:
        request = Request(f"{os.environ['BASE']}/v1/events?{query}", headers=headers)
        page = json.load(urlopen(request, timeout=60))
    except HTTPError as refusal:
        if refusal.code != 410:
            sys.exit(refusal.read().decode())
        copy = {"after": {}, "risks": {}}  # The position is lost: begin again.
        continue
    for state in (each["state"] for event in page["data"] for each in event["states"]):
        copy["risks"][state["id"]] = state
        if state["status"] in LEFT:
            del copy["risks"][state["id"]]
    copy["after"], more = {"after": page["position"]}, page["has_more"]
    events += page["count"]
FILE.with_suffix(".new").write_text(json.dumps(copy))
FILE.with_suffix(".new").replace(FILE)  # A reader sees the old copy or the new one.
print(json.dumps({"events": events, "risks": len(copy["risks"])}))
