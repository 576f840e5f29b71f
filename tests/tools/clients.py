#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Clients of npu-serve that use Python's requests.

clients.py frigate URL PICTURE LABEL...
    Frigate's detector: prints a list for each object, up to the first object
    that Frigate cannot use
clients.py search URL MODEL PICTURE TEXT...
    Frigate's semantic search: prints a vector on each line, the picture's last
clients.py home URL KEY PICTURE MIN[:NAME]...
    Home Assistant: prints a list for each object, or for a refusal
clients.py around URL
    the routes that do not take a picture
"""
import base64
import json
import sys

import requests

LIMIT = 100     # s; only a server that hangs takes so long


def show(value):
    print(json.dumps(value, separators=(",", ":")))


def frigate(url, picture, *labels):
    """Reads an answer like Frigate's detector deepstack, in whole pixels."""
    with open(picture, "rb") as f:
        answer = requests.Session().post(
            url + "/v1/vision/detection", data={"api_key": ""},
            files={"image": f.read()}, timeout=LIMIT).json()
    if answer.get("predictions") is None:
        print(answer)
        return
    for o in answer["predictions"]:
        label = o["label"].lower().replace("truck", "car")
        if o["confidence"] < 0.4 or label not in labels:
            break
        show([o["confidence"], label] +
             [o[k] for k in ("x_min", "y_min", "x_max", "y_max")])


def search(url, model, picture, *texts):
    """Asks like Frigate's llama.cpp client: two queries, then all at once."""
    for m in requests.get(url + "/v1/models", timeout=LIMIT).json()["data"]:
        if m["id"] == model:
            print("image" in m["architecture"]["input_modalities"], end=" ")
    props = requests.get(url + "/props", params={"model": model},
                         timeout=LIMIT).json()
    print(props["default_generation_settings"]["n_ctx"],
          props["modalities"]["vision"], props["chat_template"] == "")
    with open(picture, "rb") as f:
        data = base64.b64encode(f.read()).decode()
    content = [{"prompt_string": t} for t in texts]
    content.append({"prompt_string": props["media_marker"] + "\n",
                    "multimodal_data": [data]})
    answer = requests.post(url + "/embeddings", timeout=LIMIT,
                           json={"model": model, "content": content})
    answer.raise_for_status()
    result = json.loads(answer.text, parse_float=str, parse_int=str)
    for item in result:
        v = item["embedding"]
        print("[" + ",".join(v[0] if isinstance(v[0], list) else v) + "]")


def home(url, key, picture, *questions):
    """Asks like deepstack-python: a status other than 200 is an error."""
    with open(picture, "rb") as f:
        data = f.read()
    for question in questions:
        least, _, name = question.partition(":")
        path = "/v1/vision/" + ("custom/" + name if name else "detection")
        answer = requests.post(
            url + path, files={"image": data}, timeout=LIMIT,
            data={"api_key": key, "min_confidence": float(least)})
        said = answer.json()
        if answer.status_code != 200:
            show([answer.status_code, said["success"],
                  type(said["error"]).__name__])
            continue
        for o in said["predictions"]:
            show([o[k] for k in ("confidence", "label", "x_min", "y_min",
                                 "x_max", "y_max")])


def around(url):
    listed = requests.post(url + "/v1/vision/custom/list",
                           data={"api_key": ""}, timeout=LIMIT)
    show([listed.status_code, listed.json()["success"],
          listed.json()["models"]])
    ping = requests.get(url + "/v1/server/status/ping", timeout=LIMIT)
    show([ping.status_code, ping.json()["success"]])
    empty = requests.post(url + "/v1/vision/detection", timeout=LIMIT,
                          data={"api_key": ""})
    show([empty.status_code, empty.json()["success"]])


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
