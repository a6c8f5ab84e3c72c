import { VERIFY_CLAIMS } from "./bls_verify_claims.ts";
import { testClaims } from "./bls_claim.ts";

testClaims(VERIFY_CLAIMS);
