import { testLink } from "../gateway/link_conformance.ts";
import { SocketLinks } from "./socket_links.ts";

testLink("SocketLink", (service) => new SocketLinks(service));
