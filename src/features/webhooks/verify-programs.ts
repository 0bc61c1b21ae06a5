export const verifyPrograms = {
  node: `import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks' // npm install standardwebhooks

const webhook = new Webhook(process.env.WEBHOOK_SECRET)

const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  try {
    // Throws if the delivery is forged, altered or old.
    const { type, timestamp, data } = webhook.verify(body, request.headers)
    console.log(request.headers['webhook-id'], type, timestamp, data)
    response.writeHead(204).end()
  } catch {
    response.writeHead(401).end()
  }
})

server.listen(process.env.PORT ?? 3000)
`,
  python: `import os
from flask import Flask, request  # pip install flask standardwebhooks
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

app = Flask(__name__)
webhook = Webhook(os.environ["WEBHOOK_SECRET"])

@app.post("/hooks")
def hooks():
    try:
        # Raises if the delivery is forged, altered or old.
        event = webhook.verify(request.get_data(), dict(request.headers))
    except WebhookVerificationError:
        return "", 401
    print(request.headers["webhook-id"], event["type"], event["timestamp"], event["data"])
    return "", 204
`,
}
