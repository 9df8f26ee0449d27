// Plays the classifier in a process of its own, so that its work is not on the bill of the client.
// Prints its port; answers GET /connections with their number since the last time it was asked.
import { startTls } from '../service/tls';

/** ms, ±25 %. */
const serviceMs = 90;
const prediction = JSON.stringify({
  model: 'jailbreak',
  mode: 'single_label',
  classes: [
    { class_id: 0, label: 'benign', score: 0.97, selected: true },
    { class_id: 1, label: 'jailbreak', score: 0.03, selected: false },
  ],
  inference_time_ms: 12,
  prefill_tokens: 61,
});

let reported = 0;
const server = await startTls(http2 => {
  http2.on('request', (request, response) => {
    if (request.url === '/connections') {
      // The connection that asks does not count.
      response.end(String(server.connections() - 1 - reported));
      reported = server.connections();
      return;
    }
    request.resume();
    request.on('end', () =>
      setTimeout(
        () => {
          if (response.destroyed) return;
          response.setHeader('content-type', 'application/json');
          response.end(prediction);
        },
        serviceMs * (0.75 + Math.random() * 0.5),
      ),
    );
    request.on('error', () => undefined);
  });
});
console.log(server.port);
