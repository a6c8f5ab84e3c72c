-- Requests of `wrk`. Without KNOWN, each submits HASHES hashes that nobody has submitted: a random seed, the
-- number of the thread and a counter. With KNOWN, a file of hashes in hex, one a line, each looks one up.

local number = 0

function setup(thread)
  number = number + 1
  thread:set("number", number)
end

local seed = os.getenv("SEED")
local count = tonumber(os.getenv("HASHES"))
local headers = { ["Content-Type"] = "application/json", ["Prefer"] = os.getenv("PREFER") }
local sent = 0
local known = {}

function init()
  local file = os.getenv("KNOWN")
  if file then
    for hash in io.lines(file) do known[#known + 1] = hash end
    -- Each thread begins elsewhere.
    sent = number * 7919
  end
end

local function new_hash()
  sent = sent + 1
  return string.format('"%s%04x%028x"', seed, number, sent)
end

function request()
  if #known > 0 then
    sent = sent + 1
    return wrk.format("GET", wrk.path .. known[sent % #known + 1])
  end
  if count == 1 then return wrk.format("POST", nil, headers, '{"hash":' .. new_hash() .. '}') end
  local hashes = {}
  for i = 1, count do hashes[i] = new_hash() end
  return wrk.format("POST", nil, headers, '{"hashes":[' .. table.concat(hashes, ",") .. ']}')
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
