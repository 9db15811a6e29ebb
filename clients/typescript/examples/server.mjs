import express from "express";
import { login } from "login-engine/middleware";

const app = express();
app.use(login({ bridge: "http://127.0.0.1:8080", page: "/" }));
app.get("/app/", (request, response) => response.send(`Hello ${request.login.principal}`));
app.listen(3000, "127.0.0.1");
