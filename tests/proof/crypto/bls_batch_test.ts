import { BATCH_CLAIMS } from "./bls_batch_claims.ts";
import { testClaims } from "./bls_claim.ts";

testClaims(BATCH_CLAIMS);
