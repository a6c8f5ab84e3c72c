/** The attacks of `attacks/`, by name. */
export type AttackName =
  | "nothing"
  | "verifyValues"
  | "verifySignatures"
  | "bulkRepeats"
  | "eventReplay"
  | "liveFollowers"
  | "socketFlood"
  | "upgradeResets"
  | "slowBodies"
  | "checkpointRefreshes";
