import { isFull, q } from '../../api/index.ts'

/** Query for all definitions, written and inferred, which a service without additions does not have. */
export const listedDefinitionsQuery = () => ({ ...q('listDefinitions'), enabled: isFull() })
