import { expect, it } from 'vitest';
import { customerNetwork, visitorNetwork } from './visitor-network.ts';

it.each([
  ['203.0.113.9', '203.0.113.9', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8::7', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['2001:db8:0:0:9::', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['::1', '0:0:0:0::/64', '0:0:0::/48'],
])('counts the visitor %s as %s, and its customer as %s', (address, network, customer) => {
  expect(visitorNetwork(address)).toBe(network);
  expect(customerNetwork(address)).toBe(customer);
});
