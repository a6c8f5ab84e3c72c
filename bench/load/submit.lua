-- Requests of `wrk`: each submits a hash that nobody has submitted, a random seed and a counter.

local seed = os.getenv("SEED")
local headers = { ["Content-Type"] = "application/json", ["Prefer"] = os.getenv("PREFER") }
local sent = 0

function request()
  sent = sent + 1
  local body = string.format('{"hash":"%s%032x"}', seed, sent)
  return wrk.format("POST", nil, headers, body)
end

function done(summary, latency)
  local errors = summary.errors
  local accepted = summary.requests - errors.status
  io.write(string.format(
    '\n{"rate":%.3f,"p50Ms":%.3f,"p99Ms":%.3f,"accepted":%d,"errors":%d}\n',
    accepted / (summary.duration / 1e6), latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3, accepted,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout
  ))
end
