export type TabMessage =
  | { readonly type: 'active' }
  | { readonly type: 'signed-out' }
  /** From the popup: the address that the provider sent it back to. */
  | { readonly type: 'returned'; readonly url: string }
  | { readonly type: 'received'; readonly state: string }

/** The other tabs of this console in this browser. Never a token: each tab has its own. */
export function openTabs(consoleUrl: string) {
  const channel = new BroadcastChannel(`data-store:${consoleUrl}`)
  const listen = (listener: (message: TabMessage) => void) => {
    const receive = (event: MessageEvent<TabMessage>) => listener(event.data)
    channel.addEventListener('message', receive)
    return () => channel.removeEventListener('message', receive)
  }
  return {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target origin: it never leaves its own
    send: (message: TabMessage) => channel.postMessage(message),
    listen,
    /** The next message of a kind. */
    next: <Message extends TabMessage>(wanted: (message: TabMessage) => message is Message) =>
      new Promise<Message>((resolve) => {
        const stop = listen((message) => {
          if (!wanted(message)) return
          stop()
          resolve(message)
        })
      }),
  }
}

export type Tabs = ReturnType<typeof openTabs>
