-- Sends the requests of a file in turn, and prints a report as JSON. The requests are separated by
-- a zero byte. Arguments: the file, and the first number that replaces {n}.
local all = {}

function setup(thread)
  table.insert(all, thread)
end

function init(args)
  requests, counts, turn, number = {}, {}, 0, tonumber(args[2])
  local file = assert(io.open(args[1], 'rb'))
  for text in file:read('*a'):gmatch('[^%z]+') do
    table.insert(requests, { text = text, numbered = text:find('{n}', 1, true) ~= nil })
  end
  file:close()
end

function request()
  turn = turn % #requests + 1
  local each = requests[turn]
  if not each.numbered then return each.text end
  return (each.text:gsub('{n}', function()
    number = number + 1
    return string.format('%016.0f', number)
  end))
end

function response(status)
  counts[status] = (counts[status] or 0) + 1
end

function done(summary, latency)
  local errors, seen = summary.errors, {}
  for _, thread in ipairs(all) do
    for status, count in pairs(thread:get('counts')) do
      table.insert(seen, string.format('"%d":%d', status, count))
    end
  end
  io.write(string.format(
    '\n{"counts":{%s},"seconds":%f,"failures":%d,"p50":%f,"p99":%f}\n',
    table.concat(seen, ','), summary.duration / 1e6,
    errors.connect + errors.read + errors.write + errors.timeout,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
