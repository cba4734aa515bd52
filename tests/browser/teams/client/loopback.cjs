// Preloaded into Microsoft's client: it listens on loopback alone; where else it wants to go is told, and cannot be reached.
"use strict";
const net = require("node:net");

const LOOPBACK = "127.0.0.1";
const HERE = new Set([LOOPBACK, "localhost", "::1"]);

const { listen } = net.Server.prototype;
net.Server.prototype.listen = function (where, ...rest) {
  const { port } = typeof where === "object" ? where : { port: where };
  const called = rest.findLast((each) => typeof each === "function");
  return listen.call(this, { port: Number(port), host: LOOPBACK }, called);
};

const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...given) {
  const [options] = [given[0]].flat(); // Node itself hands its own calls on as [options, callback]
  const host = typeof options === "object" ? options.host : given[1];
  if (!HERE.has(host ?? "localhost")) {
    process.stderr.write(`left the machine: ${host}\n`);
    setImmediate(() => this.destroy(new Error(`no way to ${host}`)));
    return this;
  }
  return connect.apply(this, given);
};
