import assert from 'node:assert/strict';
import { mergeEdit } from '../../../../src/merge';

const original = `contract Clones {
    function predict(
        address implementation,
        bytes32 salt,
        address deployer
    ) internal pure returns (address predicted) {
        predicted = hash(implementation, salt, deployer);
    }

    function predict(
        address implementation,
        bytes32 salt
    ) internal view returns (address predicted) {
        return predict(implementation, salt, address(this));
    }
}
`;

const isCertain = (snippet: string): boolean | undefined => {
  const result = mergeEdit(original, snippet, { path: 'Clones.sol' });
  return result.kind === 'merged' ? result.certain : undefined;
};

describe('a merge that drops an overload', () => {
  it('is not certain, though the other one has the same first line', () => {
    const snippet = `contract Clones {
    function predict(
        address implementation,
        bytes32 salt
    ) internal view returns (address where) {
        return predict(implementation, salt, address(this));
    }
}
`;
    assert.notEqual(isCertain(snippet), true);
  });

  it('is certain when the snippet shows both', () => {
    assert.equal(isCertain(original.replace('address(this)', 'msg.sender')), true);
  });
});
