#!/usr/bin/env node
import { Authenticator } from "login-engine/authenticator";

const code = { id: "code", apiKey: "code", kind: "input", inputType: "oneTimeCode", title: "Code" };
const screen = { id: "code", title: "One more step", sections: [{ id: "code", items: [code] }] };
const wrong = { outcome: "challenge", error: { code: "code.wrong", text: "That is not the code." } };

await new Authenticator({ name: "staff" }).on("login", async (question) => {
  const { email, password } = question.values;
  if (email !== "ada@example.com" || password !== "correct horse") return { outcome: "rejected", reason: "invalidCredentials" };
  let next = await question.ask({ outcome: "challenge", screen });
  for (let tries = 1; tries < 3 && next.values.code !== "123456"; tries += 1) next = await question.ask(wrong);
  return next.values.code === "123456" ? { outcome: "accepted", principal: "ada" } : { outcome: "rejected", reason: "invalidCredentials" };
}).run();
