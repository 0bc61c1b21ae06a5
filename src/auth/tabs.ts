import type { RunningSession } from './tokens.ts'

export type TabMessage =
  /** `atMs`: time of the act; absent in messages of older consoles. */
  | { readonly type: 'active'; readonly atMs?: number }
  /** Sent by a tab without a session to ask for the running one, or by a tab with old tokens to ask for the newest. */
  | { readonly type: 'session-wanted' }
  /** Answer to `session-wanted`; also sent without a request, after a sign-in and after a renewal. */
  | { readonly type: 'session'; readonly session: RunningSession }
  | { readonly type: 'locked'; readonly id: string; readonly reason: 'idle' | 'expired' }
  | { readonly type: 'signed-out' }
  /** Sent by the popup: the address that the provider redirected it to. */
  | { readonly type: 'returned'; readonly url: string }
  | { readonly type: 'received'; readonly state: string }

/** Opens the channel to the console's other tabs. Any page of this origin can listen, as it can read the storages. */
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
    /** Resolves with the next message that `wanted` accepts. */
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
