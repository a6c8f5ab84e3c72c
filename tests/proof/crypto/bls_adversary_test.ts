import { ADVERSARY_CLAIMS } from "./bls_adversary_claims.ts";
import { testClaims } from "./bls_claim.ts";

testClaims(ADVERSARY_CLAIMS);
