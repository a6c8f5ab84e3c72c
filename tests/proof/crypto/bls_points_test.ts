import { testClaims } from "./bls_claim.ts";
import { POINT_CLAIMS } from "./bls_point_claims.ts";

testClaims(POINT_CLAIMS);
