import { createRoot } from "react-dom/client";
import { BridgeLogin, itemsOf, type Item } from "login-engine/browser";
import { useLogin } from "login-engine/react";

const bridge = new BridgeLogin();

function Field({ item }: { item: Item }) {
  const { value, change } = useLogin(bridge);
  const text = String(value(item) ?? "");
  if (item.kind === "switch") return <input type="checkbox" checked={value(item) === true} onChange={({ target }) => change(item.id, target.checked)} />;
  if (item.kind !== "input") return <b>{"text" in item ? item.text : text}</b>;
  const type = item.inputType === "newPassword" ? "password" : item.inputType === "oneTimeCode" ? "text" : item.inputType;
  return <input type={type} value={text} autoComplete={item.autofill} onChange={({ target }) => change(item.id, target.value)} />;
}

function Login() {
  const { snapshot, press, pending, error, connection } = useLogin(bridge);
  if (!snapshot) return <p>{connection}</p>;
  return <form noValidate aria-busy={pending} onSubmit={(event) => { event.preventDefault(); press(); }}>
    <h1>{snapshot.title}</h1>
    {[snapshot.notice, snapshot.alert, error].map((message) => message && <p role="alert" key={message.text}>{message.text}</p>)}
    {itemsOf(snapshot).map((item) => <p key={item.id}>
      <label>{item.title} <Field item={item} /></label> {"messages" in item && item.messages?.map(({ text }) => text).join(" ")}
    </p>)}
    {(snapshot.alert ?? snapshot).actions.map(({ id, title, role }) =>
      <button key={id} type={role === "primary" ? "submit" : "button"} onClick={() => role === "primary" || press(id)}>{title}</button>)}
  </form>;
}

createRoot(document.getElementById("root") as HTMLElement).render(<Login />);
