import * as z from 'zod'

import {
  attempt,
  change,
  changeset,
  dataType,
  delivery,
  entity,
  entityPatch,
  entityWrite,
  erasure,
  erasureCheck,
  event,
  job,
  knownDefinition,
  knownType,
  property,
  propertyInput,
  segment,
  segmentWrite,
  subscription,
  subscriptionCreate,
  subscriptionPatch,
  user,
  userCreate,
  userList,
  userPatch,
} from '#contract/index.ts'

const names = {
  Attempt: attempt,
  Change: change,
  Changeset: changeset,
  DataType: dataType,
  Delivery: delivery,
  Entity: entity,
  EntityChange: entityPatch,
  EntityInput: entityWrite,
  EntityTypeDefinition: knownType,
  Erasure: erasure,
  ErasureCheck: erasureCheck,
  Event: event,
  Job: job,
  NewSubscription: subscriptionCreate,
  NewUser: userCreate,
  Property: property,
  PropertyDefinition: knownDefinition,
  PropertyInput: propertyInput,
  Segment: segment,
  SegmentInput: segmentWrite,
  Subscription: subscription,
  SubscriptionChange: subscriptionPatch,
  User: user,
  UserChange: userPatch,
  UserList: userList,
}

/** Gives schemas the names that generated clients call their types by. They are public: a new name breaks who uses the old one. */
export function nameSchemas(): void {
  for (const [id, schema] of Object.entries(names)) z.globalRegistry.add(schema, { id })
}
