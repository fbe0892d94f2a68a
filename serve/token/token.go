package token

import (
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/fwgo/fwgo/serve"
)

// How long tokens last where Options say nothing (FW-170).
const (
	DefaultAccess  = time.Hour
	DefaultRefresh = 30 * 24 * time.Hour
)

const (
	issuerName   = "fastworkflow-api"
	audienceName = "fastworkflow-client"
	typeAccess   = "access"
	typeRefresh  = "refresh"
	roleOperator = "operator"
	// leastKey is the shortest RSA key taken, in bits.
	leastKey = 2048
	// longestToken is how long a token may be that is looked at, in bytes.
	longestToken = 8 << 10
	// MaxDays is how long a token of Long may last at most.
	MaxDays = 3650
)

// Options are how tokens are made. The zero value makes unsigned ones.
type Options struct {
	// KeyPEM is an RSA private key of at least 2048 bits, PKCS 1 or PKCS 8, in
	// PEM; empty for unsigned tokens.
	KeyPEM []byte
	// TrustRoles believes the role that an unsigned token says it has. Whoever
	// reaches the server can then make itself an operator, the model that
	// proposes a draft too. Signed tokens are believed.
	TrustRoles bool
	// Access and Refresh are how long tokens last, 0 for the defaults.
	Access, Refresh time.Duration
	// Now is the clock, nil for time.Now.
	Now func() time.Time
}

// A Subject is whom a token is for.
type Subject struct {
	// Channel is the id of the session, 1 to 256 bytes.
	Channel string
	// User is who speaks on the channel, "" for nobody in particular.
	User string
	// Operator lets the caller review and approve drafts.
	Operator bool
}

// A Pair is what a client is given: a token for its calls, and one for the
// next Pair.
type Pair struct {
	Access, Refresh string
	// ExpiresIn is how long Access lasts.
	ExpiresIn time.Duration
}

// An Issuer makes and checks tokens. It is safe for concurrent use.
type Issuer struct {
	options Options
	key     *rsa.PrivateKey // nil for unsigned tokens
	parser  *jwt.Parser
}

// claims are the members of a token (FW-170).
type claims struct {
	jwt.RegisteredClaims
	Audience audience `json:"aud"`
	Type     string   `json:"type"`
	User     string   `json:"uid,omitempty"`
	Role     string   `json:"role,omitempty"`
}

// GetAudience makes the outer member the one that is checked.
func (c claims) GetAudience() (jwt.ClaimStrings, error) { return c.Audience.ClaimStrings, nil }

// audience is written as one text, as Python does, and read as text or list.
type audience struct{ jwt.ClaimStrings }

func (a audience) MarshalJSON() ([]byte, error) {
	return json.Marshal(strings.Join(a.ClaimStrings, " "))
}

func (a *audience) UnmarshalJSON(text []byte) error { return a.ClaimStrings.UnmarshalJSON(text) }

// New makes an Issuer. The error says what is wrong with the key.
func New(o Options) (*Issuer, error) {
	if o.Access <= 0 {
		o.Access = DefaultAccess
	}
	if o.Refresh <= 0 {
		o.Refresh = DefaultRefresh
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	i := &Issuer{options: o}
	if len(o.KeyPEM) > 0 {
		key, err := jwt.ParseRSAPrivateKeyFromPEM(o.KeyPEM)
		if err != nil {
			return nil, fmt.Errorf("token: the key is no RSA private key in PEM: %w", err)
		}
		if key.N.BitLen() < leastKey {
			return nil, fmt.Errorf("token: the key has %d bits, at least %d are needed", key.N.BitLen(), leastKey)
		}
		i.key = key
	}
	i.parser = jwt.NewParser(jwt.WithValidMethods([]string{"RS256"}), jwt.WithIssuer(issuerName), jwt.WithAudience(audienceName),
		jwt.WithExpirationRequired(), jwt.WithTimeFunc(o.Now))
	return i, nil
}

// Signed reports whether tokens are signed and signatures checked.
func (i *Issuer) Signed() bool { return i.key != nil }

// Issue makes a pair of tokens.
func (i *Issuer) Issue(s Subject) (Pair, error) {
	access, err := i.make(s, typeAccess, i.options.Access)
	if err != nil {
		return Pair{}, err
	}
	refresh, err := i.make(s, typeRefresh, i.options.Refresh)
	return Pair{Access: access, Refresh: refresh, ExpiresIn: i.options.Access}, err
}

// Long makes an access token that lasts for days, 1 to MaxDays, for clients
// that cannot refresh.
func (i *Issuer) Long(s Subject, days int) (string, error) {
	if days < 1 || days > MaxDays {
		return "", fmt.Errorf("token: a token lasts 1 to %d days, not %d", MaxDays, days)
	}
	return i.make(s, typeAccess, time.Duration(days)*24*time.Hour)
}

func (i *Issuer) make(s Subject, kind string, lasts time.Duration) (string, error) {
	if s.Channel == "" || len(s.Channel) > 256 {
		return "", errors.New("token: a channel has 1 to 256 bytes")
	}
	now := i.options.Now()
	id := s.Channel + "_" + strconv.FormatInt(now.Unix(), 10)
	if kind == typeRefresh {
		id += "_refresh"
	}
	c := claims{Type: kind, User: s.User, Audience: audience{jwt.ClaimStrings{audienceName}}, RegisteredClaims: jwt.RegisteredClaims{
		Subject: s.Channel, ID: id, Issuer: issuerName,
		IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(lasts)),
	}}
	if s.Operator {
		c.Role = roleOperator
	}
	if i.key == nil {
		return jwt.NewWithClaims(jwt.SigningMethodNone, c).SignedString(jwt.UnsafeAllowNoneSignatureType)
	}
	return jwt.NewWithClaims(jwt.SigningMethodRS256, c).SignedString(i.key)
}

// Verify tells who an access token belongs to. The error's text is the one of
// FW-170 and fit for the caller.
func (i *Issuer) Verify(bearer string) (serve.Caller, error) {
	c, err := i.read(bearer, typeAccess)
	if err != nil {
		return serve.Caller{}, err
	}
	return serve.Caller{Channel: c.Subject, User: c.User, Operator: i.operator(c), Expires: c.ExpiresAt.Time}, nil
}

// Refresh makes a new pair for the holder of a refresh token.
func (i *Issuer) Refresh(bearer string) (Pair, error) {
	c, err := i.read(bearer, typeRefresh)
	if err != nil {
		return Pair{}, err
	}
	return i.Issue(Subject{Channel: c.Subject, User: c.User, Operator: i.operator(c)})
}

// operator reports whether a token makes its holder an operator.
func (i *Issuer) operator(c *claims) bool {
	return c.Role == roleOperator && (i.key != nil || i.options.TrustRoles)
}

// refused is an error for the caller of what is wrong with a token.
type refused string

func (r refused) Error() string        { return string(r) }
func (r refused) Is(target error) bool { return target == serve.ErrToken }

func (i *Issuer) read(bearer, kind string) (*claims, error) {
	if len(bearer) > longestToken {
		return nil, refused("Invalid or expired token: it is too long")
	}
	var c claims
	var err error
	if i.key != nil {
		_, err = i.parser.ParseWithClaims(bearer, &c, func(*jwt.Token) (any, error) { return &i.key.PublicKey, nil })
	} else if _, _, err = i.parser.ParseUnverified(bearer, &c); err == nil {
		err = jwt.NewValidator(jwt.WithExpirationRequired(), jwt.WithTimeFunc(i.options.Now)).Validate(c)
	}
	switch {
	case errors.Is(err, jwt.ErrTokenExpired):
		return nil, refused("Invalid or expired token: it has expired")
	case errors.Is(err, jwt.ErrTokenRequiredClaimMissing):
		return nil, refused("Token missing required claim: exp")
	case errors.Is(err, jwt.ErrTokenInvalidAudience), errors.Is(err, jwt.ErrTokenInvalidIssuer):
		return nil, refused("Invalid or expired token: it was issued for something else")
	case err != nil:
		return nil, refused("Invalid or expired token: it cannot be verified")
	case c.Subject == "":
		return nil, refused("Token missing required claim: sub")
	case c.Type != kind:
		return nil, refused("Invalid or expired token: this is not " + map[string]string{typeAccess: "an access", typeRefresh: "a refresh"}[kind] + " token")
	}
	return &c, nil
}
