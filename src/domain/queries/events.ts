import { isFull, q } from '../../api/index.ts'

export function eventQuery(id: string) {
  return q('getEvent', { params: { event_id: id }, query: isFull() ? { with: 'delivery' } : {} })
}
