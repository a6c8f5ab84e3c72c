import { testClaims } from "./bls_claim.ts";
import { KEY_CLAIMS } from "./bls_key_claims.ts";

testClaims(KEY_CLAIMS);
