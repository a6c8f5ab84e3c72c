/**
 * What the runtime makes of an answer before it sends it.
 *
 * @module
 */

/** `response` to a request with `method`, as a client sees it: of a HEAD, without the body. */
export async function sentAnswer(method: string, response: Response): Promise<Response> {
  if (method !== "HEAD" || response.body === null) return response;
  await response.body.cancel();
  const { status, headers } = response;
  return new Response(null, { status, headers });
}
